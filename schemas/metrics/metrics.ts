// The metrics of the service (docs/operations.md#metrics): every name with its labels, on which dashboards and alert rules rely. Names
// follow the conventions of Prometheus, and of OpenTelemetry where it has one. No label has a game, a key, an account or an address as its
// value.

const fast = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const slow = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const;
const bytes = [1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864] as const;

export const counters = {
  sds_fences_total: { help: 'Partitions that another owner took over.', labels: ['projector'] },
  sds_halts_total: { help: 'Partitions that ended because a person is needed.', labels: ['projector'] },
  sds_dead_letters_total: {
    help: 'Dead letters that were stored; origin: the gateway, or a projector.',
    labels: ['origin', 'code'],
  },
  sds_dead_letters_dropped_total: { help: 'Dead letters that their retention removed.', labels: [] },
  sds_archived_records_total: { help: 'Records that were copied into the raw archive.', labels: ['topic'] },
  sds_archive_failures_total: {
    help: 'Attempts to archive the records of a partition that failed, or that came too late for some of them.',
    labels: ['topic'],
  },
  sds_push_elements_total: { help: 'Elements of pushes by their result.', labels: ['result'] },
  sds_charges_total: { help: 'Charges of reads by the answer of the ledger.', labels: ['kind', 'result'] },
  sds_charged_rows_total: { help: 'Rows that were charged.', labels: ['kind'] },
  sds_cache_requests_total: { help: 'Look-ups in the memory of an API.', labels: ['cache', 'result'] },
} as const;

export const histograms = {
  http_server_request_duration_seconds: {
    help: 'From the head of a request to the end of its answer, less what it waited for news; no streams. class: what the answer is made of.',
    labels: ['listener', 'http_route', 'class', 'http_request_method', 'http_response_status_code'],
    buckets: fast,
  },
  http_server_request_body_size_bytes: {
    help: 'Announced sizes of request bodies.',
    labels: ['listener', 'http_route'],
    buckets: bytes,
  },
  sds_freshness_seconds: {
    help: 'From the append of a record to the commit that makes it visible: the oldest record of a source in each flush.',
    labels: ['projector', 'source'],
    buckets: slow,
  },
  sds_flush_duration_seconds: {
    help: 'How long a flush takes, from its plan to its commit.',
    labels: ['projector'],
    buckets: slow,
  },
  sds_flush_bytes: { help: 'Bytes that a flush puts into the object store.', labels: ['projector'], buckets: bytes },
} as const;

export const gauges = {
  sds_build_info: { help: 'Always 1; which version runs in which roles.', labels: ['version', 'roles'] },
  sds_degraded: { help: '1 for each kind of reason why the service is degraded.', labels: ['reason'] },
  sds_tick_age_seconds: { help: 'Age of the newest tick, by the clock of the database.', labels: [] },
  sds_lag_records: { help: 'Records in the log that are not committed yet.', labels: ['projector', 'partition'] },
  sds_lag_seconds: {
    help: 'Time since the checkpoint last moved while records wait; else 0.',
    labels: ['projector', 'partition'],
  },
  sds_owner_epoch: {
    help: 'Raised each time that a process claims the partition.',
    labels: ['projector', 'partition'],
  },
  sds_halted_partitions: { help: 'Partitions that need a person.', labels: ['projector'] },
  sds_outbox_records: { help: 'Records that wait to be published to the topics.', labels: [] },
  sds_outbox_age_seconds: { help: 'Age of the oldest record that waits to be published; 0: none.', labels: [] },
  sds_clock_skew_seconds: { help: 'This clock minus that of the database, as far as can be told.', labels: [] },
  sds_held_requests: {
    help: 'Requests that are held open: streams of events, and requests that wait for news.',
    labels: ['kind'],
  },
  db_client_connection_count: { help: 'Connections of the pool to PostgreSQL.', labels: ['thread', 'state'] },
  db_client_connection_pending_requests: { help: 'Statements that wait for a connection.', labels: ['thread'] },
  nodejs_eventloop_delay_seconds: {
    help: 'How late the event loop was since the last scrape.',
    labels: ['thread', 'quantile'],
  },
} as const;

export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type GaugeName = keyof typeof gauges;

type Labelled = { readonly labels: readonly string[] };
/** A value for each label of a metric. */
export type LabelsOf<Metric extends Labelled> = Readonly<Record<Metric['labels'][number], string>>;
export type CounterLabels<Name extends CounterName> = LabelsOf<(typeof counters)[Name]>;
export type HistogramLabels<Name extends HistogramName> = LabelsOf<(typeof histograms)[Name]>;
export type GaugeLabels<Name extends GaugeName> = LabelsOf<(typeof gauges)[Name]>;
