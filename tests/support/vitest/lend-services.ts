// Before the first file that needs services: opens the lender that test files ask for them (services/lender.ts). A run of everything
// starts them all at once, while the tests that need none run; a run of named files starts what these ask for.
import { openLender } from '../services/lender.ts';
import { lentServices } from '../services/services.ts';
import { settleWay } from '../services/way.ts';

export default async function lendServices(): Promise<(() => Promise<void>) | undefined> {
  // Three projects need services, and one lender serves them all.
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
