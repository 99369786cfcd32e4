// One command at a time takes letters off the open ones. A replay appends a record before it marks its letters: if another command discarded
// them in between, they would be in the log and yet discarded.
import type { CommandLease } from '../session/command-lease.ts';

export const lettersLease: CommandLease = { name: 'dead-letters', commands: 'sds dlq replay or discard' };
