// What remains of data written as JSON and read back, at a fraction of the cost for long texts: it does not escape and
// parse them. Throws for values that JSON does not preserve, which the data must not have.

export function throughJson<Value>(value: Value): Value {
  return copied(value) as Value;
}

function copied(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return Object.is(value, -0) ? 0 : value;
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) {
    throw new TypeError(`JSON does not keep ${String(value)}`);
  }
  const copy: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) if (member !== undefined) copy[name] = copied(member);
  return copy;
}
