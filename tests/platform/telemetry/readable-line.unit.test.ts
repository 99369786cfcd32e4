// A line of the log on a terminal.
import assert from 'node:assert/strict';
import { it } from 'vitest';
import { readableLine } from '../../../platform/telemetry/readable-line.ts';

const time = '2026-11-24T20:07:46.421Z';

it('is the time of day, what happened, and its fields', () => {
  const line = { level: 30, time, projector: 'live', partition: 0, msg: 'partition claimed' };
  assert.equal(readableLine(JSON.stringify(line)), '20:07:46 partition claimed projector=live partition=0\n');
});

it('names every level but the usual one, and quotes what has spaces', () => {
  const line = { level: 40, time, detail: 'the newest is 9 s old', of: null, list: [1], msg: 'health is degraded' };
  const expected = '20:07:46 warning health is degraded detail="the newest is 9 s old" of=null list=[1]\n';
  assert.equal(readableLine(JSON.stringify(line)), expected);
});

it('escapes control characters, which a terminal would obey, wherever they stand', () => {
  const sequence = '\u001b]0;owned\u0007';
  const line = {
    level: 30,
    time,
    operator: `${sequence}\u009b2J`,
    list: ['\u007f\u0085'],
    [`a${sequence}`]: 1,
    msg: `m\n${sequence}\r`,
  };
  const escaped = '\\u001b]0;owned\\u0007';
  const expected = `20:07:46 m\\u000a${escaped}\\u000d operator=${escaped}\\u009b2J list="[\\"\\u007f\\u0085\\"]" a${escaped}=1\n`;
  assert.equal(readableLine(JSON.stringify(line)), expected);
});

it('keeps letters of any script', () => {
  const line = { level: 30, time, team: 'Fenerbahçe', of: '日本', msg: 'a “team”' };
  assert.equal(readableLine(JSON.stringify(line)), '20:07:46 a “team” team=Fenerbahçe of=日本\n');
});
