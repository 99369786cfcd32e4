// Loaded before a program or a test file: freezes the prototypes that its values share, so that nothing can be put into
// one. Libraries may still give their own objects a member that a prototype has, such as toString; freezing alone would
// prevent that.

/** Prototypes with members that libraries override in their own objects. */
const overridden = [Object, Function, Error, TypeError, RangeError, SyntaxError];
const shared = [
  ...overridden,
  ...[Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Promise, Map, Set, WeakMap, WeakSet],
  ...[ArrayBuffer, Uint8Array, DataView, Object.getPrototypeOf(Uint8Array) as { prototype: object }],
];

/** Makes a member that objects may override but `prototype` cannot change. */
function overridable(
  prototype: object,
  name: PropertyKey,
  { value, enumerable }: PropertyDescriptor,
): PropertyDescriptor {
  return {
    enumerable: enumerable ?? false,
    configurable: false,
    get: () => value,
    set(this: object, own: unknown) {
      if (this === prototype) throw new TypeError(`a prototype must not be changed: ${String(name)}`);
      Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
    },
  };
}

for (const { prototype } of overridden) {
  for (const name of Reflect.ownKeys(prototype)) {
    const held = Object.getOwnPropertyDescriptor(prototype, name) as PropertyDescriptor;
    if ('value' in held && held.configurable === true)
      Object.defineProperty(prototype, name, overridable(prototype, name, held));
  }
}
for (const { prototype } of shared) Object.freeze(prototype);
