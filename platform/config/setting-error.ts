/** A setting that cannot be used. The message fits one line: the variable, the reason, a valid example. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  /** The constructor's arguments, with which another thread recreates the error. */
  readonly parts: readonly [variable: string, reason: string, example: string];
  constructor(...parts: SettingError['parts']) {
    const [variable, reason, example] = parts;
    super(`${variable} ${reason}; for example ${variable}=${example}`);
    this.parts = parts;
  }
}
