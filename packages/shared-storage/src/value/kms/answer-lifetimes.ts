/** Ms for which an answer of a plugin stands for its health, whoever asks (kms plugins' healthz of 1.36). */
export const healthyAnswerMs = 20_000;
/** The same of a failure. */
export const unhealthyAnswerMs = 3_000;
