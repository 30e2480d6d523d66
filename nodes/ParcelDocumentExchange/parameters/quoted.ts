/** A step by its name, as a sentence for a person names it. */
export const quoted = (step: { name: string }): string => JSON.stringify(step.name);
