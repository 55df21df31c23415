/** Loaded by mocha before all tests: properties of fast-check are tried with the same values in each run. */
import { configureGlobal } from 'fast-check';
import { givenSeed } from './given-seed.ts';

configureGlobal({ seed: givenSeed() });
