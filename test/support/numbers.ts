/** From 0 on. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
