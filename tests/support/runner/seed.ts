// Loaded before each test file of a run: the run's seed becomes that of every property, so that SDS_SEED=… npm test repeats a failure.
import fc from 'fast-check';

const seed = Number(process.env.SDS_SEED);
if (Number.isSafeInteger(seed)) fc.configureGlobal({ seed });
