/** Cost units of cel-go (common/cost.go, 0.26). */
export const accessCost = 1, listCost = 10, mapCost = 30, structCost = 40;
/** Of going through one character of a text. */
export const textFactor = 0.1;
/** Of one character of a pattern. */
export const patternFactor = 0.25;
