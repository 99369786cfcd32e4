// Faults of single processes: each kind is killed, and a projector is stopped until others have its partitions.
import type { DrillFault } from './drill-fault.ts';
import type { MemberKind } from './fleet.ts';

/** The session of a projector, and a second for the claim (docs/operations.md#settings). */
const sessionMs = 16_000;

/** The supervisor starts it again at once; a projector's partitions are others' when its session is over. */
function killed(kind: MemberKind): DrillFault {
  return {
    name: `kill-${kind}`,
    ...(kind === 'projector' ? { recoversWithinMs: sessionMs } : {}),
    async begin({ fleet, random }) {
      const member = random.pick(fleet.of(kind));
      await member.program.kill();
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
  takenOverWithinMs: sessionMs,
  async begin({ fleet, random }) {
    const member = random.pick(fleet.of('projector'));
    member.program.freeze();
    return {
      tells: { silent: member },
      async end() {
        member.program.thaw();
        // It finds that others have its partitions; it may go on with none of them, or end, and is started then.
        const timer = setInterval(() => {
          if (!member.program.running) member.start();
        }, 200);
        setTimeout(() => clearInterval(timer), 15_000).unref();
      },
    };
  },
};

export const processFaults: readonly DrillFault[] = [killed('projector'), killed('api'), killed('gateway'), frozen];
