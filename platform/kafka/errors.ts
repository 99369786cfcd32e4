// Converts kafkajs' errors to those of the log.
import kafkajs from 'kafkajs';
import { BrokerUnavailable } from '../../core/ports/broker.ts';
import { asError } from '../broker/unavailable.ts';

/** Broker errors that no retry cures: a mistake of the caller or of the administrator. */
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

/** BrokerUnavailable, unless a broker has answered with a permanent error. (During an outage the library also throws errors of its own.) */
export function asBrokerError(error: unknown): unknown {
  const cause = causeOf(error);
  if (error instanceof BrokerUnavailable || (isProtocolError(cause) && hopeless.has(cause.type))) return error;
  return new BrokerUnavailable(`Kafka cannot answer now: ${asError(cause).message}`, { cause });
}

export function isProtocolError(error: unknown): error is kafkajs.KafkaJSProtocolError {
  return error instanceof kafkajs.KafkaJSProtocolError;
}
