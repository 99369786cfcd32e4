// Plays every case against a client:  node clients/conformance/run.ts [--only WORDS] -- COMMAND…
// COMMAND is the client's adapter; README.md says what it reads and writes. Ends with 1 when a case fails.
import { conformanceCases } from './runner/cases.ts';
import { CasePlayer } from './runner/play.ts';

const words = process.argv.slice(2);
const split = words.indexOf('--');
const command = split < 0 ? [] : words.slice(split + 1);
const only = words[0] === '--only' ? (words[1] ?? '') : '';
if (command.length === 0) {
  console.error('node clients/conformance/run.ts [--only WORDS] -- COMMAND…');
  process.exit(2);
}
const player = new CasePlayer(command);
let [played, failed] = [0, 0];
for (const { file, cases } of conformanceCases()) {
  for (const each of cases.filter(({ name }) => name.includes(only))) {
    played += 1;
    try {
      await player.play(each);
      console.log(`ok      ${file}: ${each.name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${file}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
await player.end();
if (played === 0) {
  console.error(`no case has "${only}" in its name`);
  process.exit(2);
}
console.log(failed === 0 ? 'All cases pass.' : `${failed} cases fail.`);
process.exitCode = failed === 0 ? 0 : 1;
