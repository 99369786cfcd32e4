// The commands of `sds` (docs/operations.md#the-sds-tool), each in a module of its own.
import type { Command } from 'commander';

/** By name. Only the requested one is loaded, because all together are twice as many modules. */
export const commands: Readonly<Record<string, () => Promise<() => Command>>> = {
  start: async () => (await import('./start.ts')).startCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  feed: async () => (await import('./feed.ts')).feedCommand,
  accounts: async () => (await import('./accounts.ts')).accountsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  'feed-keys': async () => (await import('./feed-keys.ts')).feedKeysCommand,
  sources: async () => (await import('./sources.ts')).sourcesCommand,
  teams: async () => (await import('./teams.ts')).teamsCommand,
  games: async () => (await import('./games.ts')).gamesCommand,
  dlq: async () => (await import('./dlq.ts')).dlqCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  usage: async () => (await import('./usage.ts')).usageCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  proxy: async () => (await import('./proxy.ts')).proxyCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  epoch: async () => (await import('./epoch.ts')).epochCommand,
  log: async () => (await import('./log.ts')).logCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  schemas: async () => (await import('./schemas.ts')).schemasCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
};
