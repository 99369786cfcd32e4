// What the service remembers of the schema registry: the numbers of its own schemas. Records of the log name their schema by the number alone.

export type KnownSchema = { id: number; schema: string };

export interface TopicSchemasCatalog {
  /** Every schema of the subject that was registered, by number. */
  ofSubject(subject: string): Promise<readonly KnownSchema[]>;
  /** Remembers a schema; one whose number is known stays as it is. */
  note(subject: string, known: KnownSchema): Promise<void>;
}
