/** A setting that cannot be used. The message is the one line to show: the variable, the reason, an example of what would do. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  constructor(variable: string, reason: string, example: string) {
    super(`${variable} ${reason}; for example ${variable}=${example}`);
  }
}
