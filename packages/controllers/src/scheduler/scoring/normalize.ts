/** What the best node of a plugin has. */
export const maxNodeScore = 100;

/** Scores from 0 to 100 in proportion to the highest one; `reverse`: the lowest is best (helper.DefaultNormalizeScore). */
export function proportional(scores: readonly number[], reverse = false): readonly number[] {
  const highest = scores.reduce((most, score) => Math.max(most, score), 0);
  if (highest === 0) return scores.map(() => (reverse ? maxNodeScore : 0));
  return scores.map((score) => {
    const part = Math.trunc((maxNodeScore * score) / highest);
    return reverse ? maxNodeScore - part : part;
  });
}
