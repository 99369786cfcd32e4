// The texts of environment variables. A secret may be in a file instead, which the variable with the suffix `_FILE` names: orchestrators
// mount secrets as files, and process lists show variables. A message never repeats the contents of such a file.
import { readFileSync, statSync } from 'node:fs';
import { SettingError } from './setting-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
/** The trimmed text of a variable; null if it is missing or empty. */
export type ReadText = (name: string) => string | null;

/** The settings that contain a secret; each may come from a file. */
export const secretSettings: readonly string[] = [
  'SDS_KEY_PEPPERS',
  'SDS_CONSOLE_SECRET',
  'SDS_MSF_API_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'KAFKA_SASL_PASSWORD',
  'KAFKA_SSL_KEY_PASSWORD',
  'SCHEMA_REGISTRY_BASIC_AUTH_USER_INFO',
  'SCHEMA_REGISTRY_SSL_KEY_PASSWORD',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];

/** Larger than any secret or bundle of certificate authorities. */
const mostBytes = 4 * 1024 * 1024;

export function textOf(environment: Environment): ReadText {
  const given: ReadText = (name) => environment[name]?.trim() || null;
  return (name) => {
    const direct = given(name);
    const variable = `${name}_FILE`;
    const file = secretSettings.includes(name) ? given(variable) : null;
    if (file === null) return direct;
    if (direct !== null) throw new SettingError(variable, `is set, and so is ${name}: one of them`, exampleFile(name));
    const secret = readNamedFile(variable, file, exampleFile(name)).trim();
    if (secret === '') throw new SettingError(variable, `names ${file}, and that file is empty`, exampleFile(name));
    return secret;
  };
}

/** The text of the file that a setting names. @throws SettingError when it cannot be read */
export function readNamedFile(variable: string, path: string, example: string): string {
  try {
    if (statSync(path).size > mostBytes) throw new Error(`it has more than ${mostBytes} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError(variable, `names ${path}, and that file cannot be read (${reason})`, example);
  }
}

function exampleFile(name: string): string {
  return `/run/secrets/${name.toLowerCase()}`;
}
