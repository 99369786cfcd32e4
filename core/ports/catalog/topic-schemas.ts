// The ids of the service's own schemas in the schema registry, remembered because records of the log name their schema only by id.

export type KnownSchema = { id: number; schema: string };

export interface TopicSchemasCatalog {
  /** Every registered schema of the subject, by id. */
  ofSubject(subject: string): Promise<readonly KnownSchema[]>;
  /** Remembers a schema; does nothing if its id is known. */
  note(subject: string, known: KnownSchema): Promise<void>;
}
