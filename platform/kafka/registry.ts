// The schema registry, through its client library: registers our schemas and looks up others. The library reports an unreachable registry
// as status 400, so only 404 means that a schema does not exist, and only 409 or 422 that ours is refused.
import { Agent } from 'node:https';
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import type { Millis } from '../../core/units.ts';
import type { SchemaLookup } from '../avro/writer-schemas.ts';
import type { RegistryLink } from '../config/link-settings.ts';
import { sleep } from '../process/clock.ts';

export interface Registry {
  /**
   * The id of `schema` under the subject, with compatibility FULL_TRANSITIVE. @throws BrokerUnavailable while the registry does not answer.
   */
  register(subject: string, schema: string): Promise<number>;
  lookup: SchemaLookup;
  /** Whether it answers now and knows the subject; a registry that lost its data would assign new ids. */
  answers(subject: string): Promise<boolean>;
}

const requestTimeoutMs: Millis = 3_000;
const maxAttempts = 4;
const retryMs: Millis = 100;

type Request = { enhance(extras: { timeout: number }): Request };

/** The library itself sets no request time-out. */
const withTimeout = () => ({
  prepareRequest: async (next: () => Promise<Request>) => (await next()).enhance({ timeout: requestTimeoutMs }),
});

export function openRegistry({ url, login = null, tls = null }: RegistryLink, clientId: string): Registry {
  /** The library caches what it has looked up, so a fresh question needs a new client. */
  const openNew = () =>
    new SchemaRegistry({
      host: url.replace(/\/{1,64}$/, ''),
      clientId,
      ...(login === null ? {} : { auth: login }),
      // One connection per call, as the library does by default.
      ...(tls === null ? {} : { agent: new Agent(tls) }),
      retry: { retries: 0 },
      // The library's type declares an older form of middleware.
      middlewares: [withTimeout as never],
    });
  const client = openNew();
  return {
    async register(subject, schema) {
      for (let attempt = 1; ; attempt++) {
        try {
          const { id } = await client.register(
            { type: SchemaType.AVRO, schema },
            { subject, compatibility: COMPATIBILITY.FULL_TRANSITIVE },
          );
          return id;
        } catch (error) {
          if (!isRefusal(error)) {
            throw new BrokerUnavailable(`the schema registry cannot answer now: ${messageOf(error)}`, { cause: error });
          }
          // If two processes register at once, the second also gets this error.
          if (attempt === maxAttempts) {
            throw new Error(`the registry refuses the schema of ${subject}: ${messageOf(error)}`, { cause: error });
          }
          await sleep(retryMs * attempt);
        }
      }
    },
    answers(subject) {
      return client.getLatestSchemaId(subject).then(
        () => true,
        () => false,
      );
    },
    async lookup(id) {
      try {
        const found = (await openNew().getSchema(id)) as { schema?: (options: object) => unknown };
        // A schema of another type than Avro lacks this method and cannot be decoded.
        return typeof found.schema === 'function' ? JSON.stringify(found.schema({ exportAttrs: true })) : '"not Avro"';
      } catch (error) {
        if (statusOf(error) === 404) return null;
        if (statusOf(error) === undefined) return `"${messageOf(error)}"`;
        throw error;
      }
    },
  };
}

/** Errors that no retry cures: another compatibility on the subject, or a schema incompatible with earlier ones. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 409 || status === 422;
}

function statusOf(error: unknown): unknown {
  return error instanceof Error && 'status' in error ? error.status : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
