/** Labels in the order in which they are shown. */
export type Labels = Readonly<Record<string, string>>;
