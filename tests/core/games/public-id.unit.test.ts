import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isPublicId, nextPublicId, publicIdBase } from '../../../core/games/public-id.ts';
import { parseRfc3339 } from '../../../core/time/rfc3339.ts';

describe('public ids', () => {
  it('carry the Eastern date of the start', () => {
    const idAt = (start: string) => publicIdBase('NFL', 'DET', 'PHI', parseRfc3339(start) as number);
    assert.equal(idAt('2025-11-17T01:20:00Z'), 'NFL_DET_PHI_20251116');
    assert.equal(idAt('2025-11-17T05:00:00Z'), 'NFL_DET_PHI_20251117');
    assert.equal(idAt('2025-07-05T03:59:59Z'), 'NFL_DET_PHI_20250704');
  });

  it('count further games of the same teams and date', () => {
    const taken = new Set<string>();
    const next = (after = 0) => nextPublicId('A', after, (id) => taken.has(id));
    assert.deepEqual(next(), { publicId: 'A', count: 1 });
    taken.add('A');
    assert.deepEqual(next(), { publicId: 'A_2', count: 2 });
    taken.add('A_2').add('A_4');
    assert.deepEqual(next(2), { publicId: 'A_3', count: 3 });
    assert.deepEqual(next(3), { publicId: 'A_5', count: 5 });
  });

  it('have a form', () => {
    for (const id of [
      'NFL_DET_PHI_20251116',
      'NCAAM_DUKE_MISSISSIPPI2_20260110',
      'MLB_CHC_NYM_20260704_2',
      'MLB_CHC_NYM_20260704_10',
    ]) {
      assert.ok(isPublicId(id), id);
    }
    for (const id of [
      '',
      'nfl_det_phi_20251116',
      'XFL_DET_PHI_20251116',
      'NFL_DET_20251116',
      'NFL_DET_PHI_2025111',
      'NFL_DET_PHI_20251116_1',
      'NFL_DET_PHI_20251116_02',
      'NFL_DET_PHI_20251116_',
      ' NFL_DET_PHI_20251116',
      'NFL_DET_PHI_20251116\n',
      'NFL_D.T_PHI_20251116',
      'NFL_ABCDEFGHIJKLM_PHI_20251116',
    ]) {
      assert.ok(!isPublicId(id), id);
    }
  });
});
