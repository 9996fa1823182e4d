/** placeholder */
export function checkModel(): number {
  return 0;
}
