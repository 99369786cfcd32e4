// The settings of processes that a test starts on its own database and folder: any free ports, known peppers, and only errors in the log.

export const testPeppers = `1:${Buffer.alloc(32, 7).toString('base64')}`;

export function processEnvironment(databaseUrl: string, dataDir: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SDS_DATA_DIR: dataDir,
    SDS_KEY_PEPPERS: testPeppers,
    SDS_API_PORT: '0',
    SDS_INGEST_PORT: '0',
    LOG_LEVEL: 'error',
  };
}
