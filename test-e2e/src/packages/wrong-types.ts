import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core';
import { readFileSync } from 'node:fs';

/**
 * What TypeScript gets wrong about a tarball's entry points, by `node16` and `bundler` resolution, one line each. Node
 * alone runs the packages, so that `node10`, which knows no `exports`, is nobody's resolution. Entry points that are ES
 * modules for `require` too are no mistake, Node loads them; they are told apart, for the test to say which.
 */
export async function wrongTypes(tarball: string): Promise<{ wrong: string[]; modulesForRequire: string[] }> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (result.types === false) return { wrong: ['it has no types'], modulesForRequire: [] };
  const problems = result.problems.filter((problem) => resolutionOf(problem) !== 'node10');
  return {
    wrong: problems.filter(({ kind }) => kind !== 'CJSResolvesToESM').map((problem) => JSON.stringify(problem)),
    modulesForRequire: problems.flatMap((problem) => (problem.kind === 'CJSResolvesToESM' ? [problem.entrypoint] : [])),
  };
}

function resolutionOf(problem: Problem): string | undefined {
  if ('resolutionKind' in problem) return problem.resolutionKind;
  return 'resolutionOption' in problem ? problem.resolutionOption : undefined;
}
