// kafkajs' errors as callers of the log know them.
import kafkajs from 'kafkajs';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { asError } from '../broker/unavailable.ts';

/** Answers of a broker that no repetition mends: the caller's or the operator's mistake. */
const hopeless = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TOPIC_EXCEPTION',
  'INVALID_CONFIG',
  'INVALID_PARTITIONS',
  'INVALID_REPLICATION_FACTOR',
  'POLICY_VIOLATION',
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
]);

/** The error under the library's wrappers. */
export function causeOf(error: unknown): unknown {
  let inner = error;
  while (inner instanceof kafkajs.KafkaJSError && inner.cause instanceof Error && inner.cause !== inner) {
    inner = inner.cause;
  }
  return inner;
}

/** BrokerUnavailable, unless a broker has answered that it never will. (In trouble the library also throws errors of its own making.) */
export function asBrokerError(error: unknown): unknown {
  const cause = causeOf(error);
  if (error instanceof BrokerUnavailable || (isProtocolError(cause) && hopeless.has(cause.type))) return error;
  return new BrokerUnavailable(`Kafka cannot answer now: ${asError(cause).message}`, { cause });
}

export function isProtocolError(error: unknown): error is kafkajs.KafkaJSProtocolError {
  return error instanceof kafkajs.KafkaJSProtocolError;
}
