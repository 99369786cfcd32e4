// All catalogs on one connection to PostgreSQL; its role decides what they may do.
import type { ArtifactsCatalog } from '../../core/ports/catalog/artifacts.ts';
import type { CalendarCatalog } from '../../core/ports/catalog/calendar.ts';
import type { CheckpointsCatalog, ProgressCatalog } from '../../core/ports/catalog/checkpoints.ts';
import type { DeadLettersCatalog } from '../../core/ports/catalog/dead-letters.ts';
import type { FeedUseCatalog } from '../../core/ports/catalog/feed-use.ts';
import type { GamesCatalog } from '../../core/ports/catalog/games.ts';
import type { HeadsCatalog } from '../../core/ports/catalog/heads.ts';
import type { HealthCatalog } from '../../core/ports/catalog/health.ts';
import type { KeysCatalog } from '../../core/ports/catalog/keys.ts';
import type { HeldLeases, InstancesCatalog, LeasedWork, LeasesCatalog } from '../../core/ports/catalog/leases.ts';
import type { LiveCatalog } from '../../core/ports/catalog/live.ts';
import type { LogLayoutsCatalog } from '../../core/ports/catalog/log-layouts.ts';
import type { MsfCatalog, MsfRetention } from '../../core/ports/catalog/msf.ts';
import type { MsfAuthoritiesCatalog } from '../../core/ports/catalog/msf-authorities.ts';
import type { MsfHistoryCatalog } from '../../core/ports/catalog/msf-history.ts';
import type { ObjectsCatalog } from '../../core/ports/catalog/objects.ts';
import type { OperationsCatalog } from '../../core/ports/catalog/operations.ts';
import type { OutboxCatalog } from '../../core/ports/catalog/outbox.ts';
import type { PushCatalog } from '../../core/ports/catalog/pushes.ts';
import type { RebuildsCatalog } from '../../core/ports/catalog/rebuilds.ts';
import type { ReferenceCatalog } from '../../core/ports/catalog/reference.ts';
import type { RetentionCatalog } from '../../core/ports/catalog/retention.ts';
import type { SettlementCatalog } from '../../core/ports/catalog/settlement.ts';
import type { TopicSchemasCatalog } from '../../core/ports/catalog/topic-schemas.ts';
import type { Ledger } from '../../core/ports/ledger.ts';
import { type Log, silentLog } from '../../core/ports/telemetry.ts';
import { openArtifactsCatalog } from '../../platform/postgres/artifacts-catalog.ts';
import { openCalendarCatalog } from '../../platform/postgres/calendar-catalog.ts';
import { openCheckpointsCatalog } from '../../platform/postgres/checkpoints-catalog.ts';
import { openDeadLettersCatalog } from '../../platform/postgres/dead-letters-catalog.ts';
import { openFeedUseCatalog } from '../../platform/postgres/feed-use-catalog.ts';
import { openGamesCatalog } from '../../platform/postgres/games-catalog.ts';
import { openHeadsCatalog } from '../../platform/postgres/heads-catalog.ts';
import { openHealthCatalog } from '../../platform/postgres/health-catalog.ts';
import { openKeysCatalog } from '../../platform/postgres/keys-catalog.ts';
import { openLeasesCatalog } from '../../platform/postgres/leases.ts';
import { openLedger } from '../../platform/postgres/ledger.ts';
import { openLiveCatalog } from '../../platform/postgres/live-catalog.ts';
import { openLogLayoutsCatalog } from '../../platform/postgres/log-layouts-catalog.ts';
import { openMsfAuthoritiesCatalog } from '../../platform/postgres/msf-authorities-catalog.ts';
import { openMsfCatalog } from '../../platform/postgres/msf-catalog.ts';
import { openMsfHistoryCatalog } from '../../platform/postgres/msf-history.ts';
import { openObjectsCatalog } from '../../platform/postgres/objects-catalog.ts';
import { openOperationsCatalog } from '../../platform/postgres/operations-catalog.ts';
import { openOutboxCatalog } from '../../platform/postgres/outbox-catalog.ts';
import { openPushCatalog } from '../../platform/postgres/push-catalog.ts';
import { openRebuildsCatalog } from '../../platform/postgres/rebuilds-catalog.ts';
import { openReferenceCatalog } from '../../platform/postgres/reference-catalog.ts';
import { openRetentionCatalog } from '../../platform/postgres/retention-catalog.ts';
import { openSettlementCatalog } from '../../platform/postgres/settlement-catalog.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { openTopicSchemasCatalog } from '../../platform/postgres/topic-schemas-catalog.ts';

export type Catalogs = {
  artifacts: ArtifactsCatalog;
  calendar: CalendarCatalog;
  checkpoints: CheckpointsCatalog & ProgressCatalog;
  deadLetters: DeadLettersCatalog;
  feedUse: FeedUseCatalog;
  games: GamesCatalog;
  health: HealthCatalog;
  heads: HeadsCatalog;
  keys: KeysCatalog;
  leases: LeasesCatalog & LeasedWork & HeldLeases & InstancesCatalog;
  ledger: Ledger;
  live: LiveCatalog;
  logLayouts: LogLayoutsCatalog;
  msf: MsfCatalog & MsfRetention;
  msfAuthorities: MsfAuthoritiesCatalog;
  msfHistory: MsfHistoryCatalog;
  objects: ObjectsCatalog;
  operations: OperationsCatalog;
  outbox: OutboxCatalog;
  pushes: PushCatalog;
  rebuilds: RebuildsCatalog;
  reference: ReferenceCatalog;
  retention: RetentionCatalog;
  settlement: SettlementCatalog;
  topicSchemas: TopicSchemasCatalog;
};

/** The catalogs with the rights of `sql`. */
export function openCatalogs(sql: Sql, log: Log = silentLog): Catalogs {
  return {
    artifacts: openArtifactsCatalog(sql),
    calendar: openCalendarCatalog(sql),
    checkpoints: openCheckpointsCatalog(sql),
    deadLetters: openDeadLettersCatalog(sql),
    feedUse: openFeedUseCatalog(sql),
    games: openGamesCatalog(sql),
    health: openHealthCatalog(sql),
    heads: openHeadsCatalog(sql),
    keys: openKeysCatalog(sql),
    leases: openLeasesCatalog(sql),
    ledger: openLedger(sql),
    live: openLiveCatalog(sql),
    logLayouts: openLogLayoutsCatalog(sql),
    msf: openMsfCatalog(sql),
    msfAuthorities: openMsfAuthoritiesCatalog(sql),
    msfHistory: openMsfHistoryCatalog(sql),
    objects: openObjectsCatalog(sql),
    operations: openOperationsCatalog(sql),
    outbox: openOutboxCatalog(sql),
    pushes: openPushCatalog(sql, log),
    rebuilds: openRebuildsCatalog(sql),
    reference: openReferenceCatalog(sql),
    retention: openRetentionCatalog(sql),
    settlement: openSettlementCatalog(sql),
    topicSchemas: openTopicSchemasCatalog(sql),
  };
}
