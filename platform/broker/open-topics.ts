// The topics of a log, each opened on first use and again after a failure.
import type { TopicSettings } from './topic-settings.ts';

interface OpenTopics<Topic> {
  names: readonly string[];
  /** The topic; created if necessary. */
  topic(name: string): Promise<Topic>;
  /** The topic if it is open or being opened; null otherwise. @throws Error when the log has no such topic */
  held(name: string): Promise<Topic> | null;
  /** The topics that could be opened. */
  opened(): Promise<Topic[]>;
}

export function openTopics<Topic>(
  settings: readonly TopicSettings[],
  open: (wanted: TopicSettings) => Promise<Topic>,
): OpenTopics<Topic> {
  const byName = new Map(settings.map((topic) => [topic.name, topic]));
  const topics = new Map<string, Promise<Topic>>();
  return {
    names: [...byName.keys()],
    topic(name) {
      const held = topics.get(name);
      if (held !== undefined) return held;
      const wanted = byName.get(name);
      if (wanted === undefined) return Promise.reject(new Error(`the log has no topic ${name}`));
      const opening = open(wanted).catch((error: unknown) => {
        topics.delete(name);
        throw error;
      });
      topics.set(name, opening);
      return opening;
    },
    held(name) {
      if (!byName.has(name)) throw new Error(`the log has no topic ${name}`);
      return topics.get(name) ?? null;
    },
    async opened() {
      const outcomes = await Promise.allSettled(topics.values());
      return outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    },
  };
}
