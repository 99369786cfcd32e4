// `npm test`: the suite under vitest, on every real service that this machine has or can get.
//
//   npm test                              everything
//   npm test -- unit prop                 by suffix
//   npm test -- tests/core/live/cursor.prop.test.ts by file
//   npm test -- unit -t cursor --watch    with any option of vitest
//   SDS_SEED=42 npm test                  the same properties and campaigns again
//   SDS_REQUIRE_SERVICES=1 npm test       a missing service is a failure (CI)
//   SDS_TEST_SERVICES=native npm test     services as programs even where a Docker engine answers (tests/support/services/way.ts)
import { parseCLI, startVitest } from 'vitest/node';

const suffixes = ['unit', 'prop', 'sim', 'contract', 'service', 'e2e'];

/** A word behind an option is its value, as in `-t service`. */
const words = process.argv
  .slice(2)
  .flatMap((word, at, all) =>
    suffixes.includes(word) && !all[at - 1]?.startsWith('-')
      ? ['--project', word, '--project', `${word}-alone`]
      : [word],
  );
const { filter, options } = parseCLI(['vitest', ...words]);
const vitest = await startVitest('test', filter, { watch: false, ...options });
if (!vitest.shouldKeepServer()) await vitest.exit();
