// Runs one campaign in a world of its own; a campaign that fails leaves a report.
import type { EditionName } from './place.ts';
import type { Program } from './program.ts';
import { reported } from './report.ts';
import { openWorld, type World } from './world.ts';

type Campaign<Figures> = {
  /** The programs that the campaign has started. */
  readonly programs: Program[];
  run(): Promise<Figures>;
  close(): Promise<void>;
};

/** Rejects with the campaign's first failed assertion. A string says which service is missing. */
export async function runCampaign<Options, Figures>(
  edition: EditionName,
  Campaign: new (world: World, options: Options) => Campaign<Figures>,
  options: Options,
): Promise<Figures | string> {
  const world = await openWorld(edition, { partitions: 4 });
  if (typeof world === 'string') return world;
  const campaign = new Campaign(world, options);
  try {
    return await campaign.run();
  } catch (error) {
    throw await reported(error, { world, programs: campaign.programs });
  } finally {
    await campaign.close();
  }
}
