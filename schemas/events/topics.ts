// Topic names, their keys and retention (docs/operations.md#topics). The subject of a value is `<topic>-value`.

export const topics = {
  quotes: 'sds.quotes.v1',
  observations: 'sds.observations.v1',
  games: 'sds.games.v1',
  deadLetters: 'sds.dead-letters.v1',
  publications: 'sds.publications.v1',
} as const;

export type TopicName = (typeof topics)[keyof typeof topics];

/**
 * How long a topic keeps its records: at least two weeks, and if logs are rebuilt from it, also as long as the longest rebuild needs
 * (docs/durability.md#what-each-loss-costs). A topic that is absent here keeps everything.
 */
export const retention: Readonly<Partial<Record<TopicName, { days: number; rebuilt: boolean }>>> = {
  [topics.quotes]: { days: 14, rebuilt: true },
  [topics.deadLetters]: { days: 14, rebuilt: false },
  [topics.publications]: { days: 14, rebuilt: false },
};

/** The topics from which the service builds what it publishes: the raw archive keeps their records (docs/durability.md#the-raw-archive). */
export const archivedTopics = [topics.quotes, topics.observations, topics.games] as const;

export type ArchivedTopic = (typeof archivedTopics)[number];

/** The topics whose keys are games and scopes, to which partitions can be added (docs/operations.md#adding-partitions). */
export const growingTopics = [topics.quotes, topics.observations] as const;

export type GrowingTopic = (typeof growingTopics)[number];
