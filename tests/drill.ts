// `npm run drill`: every fault that the service must survive, one after another, on the whole distributed edition with
// real services, under load. Prints each measured time with its limit; exits with 1 if anything is late or incorrect.
//
//   npm run drill                       all of it, about a quarter of an hour
//   npm run drill -- kill restart       the faults whose names contain one of these words
//   SDS_SEED=42 npm run drill           the same choices again
import { drillFaults } from './support/drill/drill-faults.ts';
import { describeResult, hasPassed, runDrill } from './support/drill/run-drill.ts';

async function main(words: readonly string[]): Promise<number> {
  const seed = Number(process.env.SDS_SEED ?? Math.floor(Math.random() * 1e9));
  console.log(`Seed ${seed} (SDS_SEED=${seed} npm run drill repeats it)`);
  const faults = drillFaults.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
  if (faults.length === 0) {
    const names = drillFaults.map(({ name }) => name).join(', ');
    console.error(`No fault has one of these words in its name: ${words.join(' ')}. There are ${names}.`);
    return 2;
  }
  const result = await runDrill({ seed, faults, say: (line) => console.log(`  ${line}`) });
  if (typeof result === 'string') {
    console.error(`The drill cannot run here: ${result}`);
    return 2;
  }
  console.log(`\n${describeResult(result)}`);
  return hasPassed(result) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
