/** A setting that cannot be used. The message fits one line: the variable, the reason, a valid example. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  constructor(variable: string, reason: string, example: string) {
    super(`${variable} ${reason}; for example ${variable}=${example}`);
  }
}
