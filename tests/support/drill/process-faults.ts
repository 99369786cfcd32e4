// Faults of single processes: kills one of each kind, and stops a projector until others have its partitions.
import type { DrillFault } from './drill-fault.ts';
import type { MemberKind } from './fleet.ts';

/** The session of a projector (docs/operations.md#service-settings), the join of the others, and their start on its partitions. */
const takenOverWithinMs = 16_000;

/** The supervisor starts it again at once; a projector's partitions are others' when its session is over. */
function killed(kind: MemberKind): DrillFault {
  return {
    name: `kill-${kind}`,
    ...(kind === 'projector' ? { recoversWithinMs: takenOverWithinMs } : {}),
    async begin({ fleet, random }) {
      const member = random.pick(fleet.of(kind));
      await member.kill();
      return {
        tells: { silent: member },
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
    member.program.freeze();
    return {
      tells: { silent: member },
      // It finds that others have its partitions; it goes on with none of them, or ends and is started again.
      end: async () => member.program.thaw(),
    };
  },
};

export const processFaults: readonly DrillFault[] = [killed('projector'), killed('api'), killed('gateway'), frozen];
