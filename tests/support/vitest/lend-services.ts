// Opens the lender from which test files get services (services/lender.ts), before the first file that needs any. A run
// of everything starts all services at once, while the tests without services run; a run of named files starts those
// that they ask for.
import { openLender } from '../services/lender.ts';
import { lentServices } from '../services/services.ts';
import { settleWay } from '../services/way.ts';

export default async function lendServices(): Promise<(() => Promise<void>) | undefined> {
  // Three projects need services; one lender serves them all.
  if (process.env.SDS_TEST_LENDER !== undefined) return undefined;
  await settleWay(console.log);
  const lender = await openLender(lentServices, console.log);
  process.env.SDS_TEST_LENDER = lender.url;
  if (!process.argv.slice(2).some((word) => /\.ts(?::\d+)?$/.test(word))) lender.startAll();
  return async () => {
    delete process.env.SDS_TEST_LENDER;
    await lender.close();
  };
}
