// Loaded into a program by `--import`: shifts its clock, and that of each of its threads, by SDS_DRILL_SKEW_MS.
const skewMs = Number(process.env.SDS_DRILL_SKEW_MS ?? 0);
const RightDate = Date;
const now = (): number => RightDate.now() + skewMs;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, given: unknown[], made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
}) as DateConstructor;
