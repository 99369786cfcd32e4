// The result of a verification: how much was checked, and the violations.

type Violation = {
  /** By the numbers of docs/durability.md#invariants. */
  invariant: string;
  subject: string;
  detail: string;
};

export class Report {
  readonly #checked = new Map<string, number>();
  readonly #violations: Violation[] = [];

  count(what: string, number = 1): void {
    this.#checked.set(what, (this.#checked.get(what) ?? 0) + number);
  }

  violated(invariant: string, subject: string, detail: string): void {
    this.#violations.push({ invariant, subject, detail });
  }

  /** Records a violation unless `holds`. */
  expect(holds: boolean, invariant: string, subject: string, detail: string): void {
    if (!holds) this.violated(invariant, subject, detail);
  }

  get checked(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#checked);
  }

  get violations(): readonly Violation[] {
    return this.#violations;
  }
}
