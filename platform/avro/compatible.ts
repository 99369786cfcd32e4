// Whether two Avro schemas can read each other's records: FULL compatibility, which the topics' subjects require. Processes of two releases
// run side by side, and a replay reads what every release has written.
import avsc from 'avsc';

/** What prevents one of the two from reading the other's records; empty if nothing does. */
export function incompatibilities(ours: string, theirs: string): string[] {
  return [
    ...unreadable(ours, theirs).map((why) => `this version cannot read its records: ${why}`),
    ...unreadable(theirs, ours).map((why) => `it cannot read records of this version: ${why}`),
  ];
}

function unreadable(reader: string, writer: string): string[] {
  try {
    avsc.Type.forSchema(JSON.parse(reader)).createResolver(avsc.Type.forSchema(JSON.parse(writer)));
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
