// Named places where a test may kill the process. In production every call is a no-op.

export const crashPointNames = [
  'projector:claimed',
  'projector:folded',
  'projector:before-put',
  'projector:after-put',
  'projector:before-commit',
  'projector:in-commit',
  'projector:after-commit',
  'projector:before-ack',
  'projector:snapshot-put',
  'gateway:before-produce',
  'gateway:after-produce',
  'settlement:built',
  'settlement:before-landing',
  'settlement:landed',
  'collector:before-delete',
  'reset:begun',
  'reset:half-way',
  'reset:before-end',
  'rebuild:half-way',
  'letters:held',
  'letters:appended',
] as const;

export type CrashPoint = (typeof crashPointNames)[number];

/** `of` distinguishes places of the same name: a projector's name, or a half of the gateway. */
export type CrashPoints = (point: CrashPoint, of?: string) => void;

export const noCrashPoints: CrashPoints = () => {};
