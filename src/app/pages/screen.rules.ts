/** Under 768 px mobile, under 1024 tablet, from there on desktop. */
export const screenTypeOf = (width: number): 'mobile' | 'tablet' | 'desktop' =>
  width < 768 ? 'mobile' : width < 1024 ? 'tablet' : 'desktop'
