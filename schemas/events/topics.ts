// Topic names, their key and retention (operations.md, "Kafka topics"). The subject of a value is `<topic>-value`.

export const topics = {
  quotes: 'sds.quotes.v1',
  observations: 'sds.observations.v1',
  games: 'sds.games.v1',
  deadLetters: 'sds.dead-letters.v1',
  publications: 'sds.publications.v1',
} as const;

export type TopicName = (typeof topics)[keyof typeof topics];
