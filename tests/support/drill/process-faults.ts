// Faults of single processes: kills one of each kind, and freezes a projector until others have its partitions.
import type { DrillFault } from './drill-fault.ts';
import type { MemberKind } from './fleet.ts';

/**
 * A projector's session time (docs/operations.md#service-settings), plus the time until the others have joined and
 * started on its partitions.
 */
const takenOverWithinMs = 16_000;

/** The supervisor restarts it at once. A projector's partitions go to others once its session has expired. */
function killed(kind: MemberKind): DrillFault {
  return {
    name: `kill-${kind}`,
    ...(kind === 'projector' ? { recoversWithinMs: takenOverWithinMs } : {}),
    async begin({ fleet, random }) {
      const member = random.pick(fleet.of(kind));
      await member.kill();
      return {
        reportedAs: { silent: member },
        async end() {
          member.start();
        },
      };
    },
  };
}

const frozen: DrillFault = {
  name: 'freeze-projector',
  takenOverWithinMs,
  async begin({ fleet, random }) {
    const member = random.pick(fleet.of('projector'));
    await member.program.freeze();
    return {
      reportedAs: { silent: member },
      // The thawed projector finds that others have its partitions: it runs on without them, or ends and is restarted.
      end: async () => member.program.thaw(),
    };
  },
};

export const processFaults: readonly DrillFault[] = [killed('projector'), killed('api'), killed('gateway'), frozen];
