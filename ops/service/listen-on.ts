// Opens the port of a listener; if that fails, names the setting to change.
import { SettingError } from '../../platform/config/setting-error.ts';

type Listener = { listen(host: string, port: number): Promise<{ url: string }> };

/** Listens. `hostVariable`: the setting of the address. @throws SettingError when the address or the port is unavailable */
export async function listenOn(
  listener: Listener,
  host: string,
  variable: string,
  port: number,
  hostVariable = 'SDS_HOST',
): Promise<string> {
  try {
    return (await listener.listen(host, port)).url;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new SettingError(variable, `is ${port}, and that port is taken`, '0');
    if (code === 'EACCES') throw new SettingError(variable, `is ${port}, and this user may not listen there`, '8080');
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new SettingError(hostVariable, `is ${host}, and this machine has no such address`, '127.0.0.1');
    throw error;
  }
}
