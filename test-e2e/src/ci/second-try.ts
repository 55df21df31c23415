/** Begins the line that says of a test that it has passed, but not the first time. */
export const SECOND_TRY = 'only when tried again: ';

/** Tests in the output of a job that passed when they were tried again, by their full titles. */
export function secondTriesIn(output: string): readonly string[] {
  return output.split('\n').flatMap((line) => (line.startsWith(SECOND_TRY) ? [line.slice(SECOND_TRY.length)] : []));
}
