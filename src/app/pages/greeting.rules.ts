/** 'Good afternoon, Ada'; `hour` is 0 to 23. */
export function greetingAt(hour: number, firstName: string | null | undefined): string {
  const part = hour < 5 ? 'evening' : hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
  return firstName ? `Good ${part}, ${firstName}` : `Good ${part}`
}
