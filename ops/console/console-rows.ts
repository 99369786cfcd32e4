// The rows of the console's lists, each with the command that acts on it.
import type { FeedQuotas } from '../../core/limits/feed-quotas.ts';
import type {
  AccountNearQuota,
  FeedKeyNearQuota,
  OpenDeadLetters,
  ReplacedEpoch,
} from '../../core/ports/catalog/overview.ts';
import { formatMicros } from '../../core/time/rfc3339.ts';
import type { Micros } from '../../core/units.ts';
import { streamName } from '../health/stream-name.ts';
import type { ConsoleFacts, Stream } from './console-facts.ts';
import { isLogAway, lately } from './judge-parts.ts';
import { isPlainText, sdsCommand } from './sds-command.ts';
import { isLate, type SportsbookFreshness } from './sportsbook-freshness.ts';

export function sportsbookRow(freshness: SportsbookFreshness, now: Micros) {
  const { operator, source, games, late, observed, game } = freshness;
  return {
    ...{ operator, source, games, late_games: late, game_id: game },
    state: isLate(freshness) ? ('late' as const) : ('ok' as const),
    observed_through: formatMicros(observed),
    age_ms: Math.max(0, Math.round((now - observed) / 1_000)),
    command: sdsCommand('games', 'show', game),
  };
}

/** `owner`: the process that folds it, by its name among our processes; null: none ever did. */
export function partitionRow(stream: Stream, { health }: ConsoleFacts) {
  const { projector, topic, partition, ownerEpoch, ownerId, nextOffset, updatedAt, halted } = stream;
  const isKnown = !('away' in health) && !isLogAway(health.answer);
  const progress = isKnown
    ? health.answer.progress.find((each) => each.projector === projector && each.partition === partition)
    : undefined;
  const isStalled =
    !('away' in health) && health.answer.reasons.some(({ name }) => name === `stalled ${streamName(stream)}`);
  return {
    ...{ projector, topic, partition, owner: ownerId || null, owner_epoch: ownerEpoch, next_offset: nextOffset },
    state: stateOf(halted !== null, isStalled, ownerId !== '', isKnown),
    behind: progress?.behind ?? null,
    checkpoint_at: formatMicros(updatedAt),
    halted,
    command: halted === null ? sdsCommand('status') : sdsCommand('verify'),
  };
}

function stateOf(isHalted: boolean, isStalled: boolean, isOwned: boolean, isKnown: boolean) {
  if (isHalted) return 'halted';
  if (isStalled) return 'late';
  if (!isOwned) return 'unowned';
  return isKnown ? 'ok' : 'unknown';
}

/** Its command plans the replay of these, and asks before it does anything. */
export function deadLetterRow({ source, code, letters, lately: news, newest }: OpenDeadLetters) {
  const ofSource = source === null || !isPlainText(source) ? [] : ['--source', source];
  return {
    ...{ source, code, letters, lately: news },
    state: news > 0 ? ('warn' as const) : ('ok' as const),
    newest: formatMicros(newest),
    command: sdsCommand('dlq', 'replay', '--code', code, ...ofSource),
  };
}

export function epochRow({ scope, dataset, replacedAt, epoch }: ReplacedEpoch, now: Micros) {
  return {
    ...{ scope, dataset, epoch },
    state: now - replacedAt < lately ? ('warn' as const) : ('ok' as const),
    replaced_at: formatMicros(replacedAt),
    command: sdsCommand('epoch', 'reset', '--dataset', dataset, '--scope', scope),
  };
}

export function feedKeyRow({ id, sources, quota, used }: FeedKeyNearQuota, quotas: FeedQuotas) {
  return {
    ...{ kind: 'feed key' as const, id, of: sources.join(','), quota, used, most: quotas[quota] },
    state: 'warn' as const,
    command: sdsCommand('feed-keys', 'list'),
  };
}

export function accountRow({ id, name, used, most }: AccountNearQuota) {
  return {
    ...{ kind: 'account' as const, id, of: name, quota: 'monthly_rows' as const, used, most },
    state: 'warn' as const,
    command: sdsCommand('usage', '--account', id),
  };
}
