// Divides the partitions of our groups: each member keeps its own as far as an even share allows. Members report what they hold when they
// join; the group's leader assigns. kafkajs' own assigners reassign everything on each rebalance.
import kafkajs from 'kafkajs';
import { shareOut } from '../broker/claims.ts';

const { AssignerProtocol } = kafkajs;

const version = 1;

/** The assigner of one member of one topic's group. Calls `held` on each join. */
export function stickyAssigner(held: () => readonly number[]): kafkajs.PartitionAssigner {
  return ({ cluster }) => ({
    name: 'sds-sticky',
    version,
    async assign({ members, topics }) {
      const [topic] = topics as [string];
      const partitions = cluster.findTopicPartitionMetadata(topic).length;
      const shares = shareOut({
        partitions,
        members: members.map((member) => member.memberId).sort(),
        holders: holdersOf(members, partitions),
      });
      return [...shares].map(([memberId, share]) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version,
          assignment: { [topic]: share },
          userData: Buffer.alloc(0),
        }),
      }));
    },
    protocol({ topics }) {
      const userData = Buffer.from(JSON.stringify(held()));
      return { name: this.name, metadata: AssignerProtocol.MemberMetadata.encode({ version, topics, userData }) };
    },
  });
}

function holdersOf(members: readonly kafkajs.GroupMember[], partitions: number): (string | null)[] {
  const holders: (string | null)[] = Array.from({ length: partitions }, () => null);
  for (const { memberId, memberMetadata } of members) {
    const claimed: unknown = parse(AssignerProtocol.MemberMetadata.decode(memberMetadata)?.userData);
    if (!Array.isArray(claimed)) continue;
    for (const partition of claimed) if (holders[partition] === null) holders[partition] = memberId;
  }
  return holders;
}

/** What a member reports is only a preference; invalid data counts as none. */
function parse(userData: Buffer | undefined): unknown {
  try {
    return JSON.parse(userData?.toString('utf8') ?? '');
  } catch {
    return null;
  }
}
