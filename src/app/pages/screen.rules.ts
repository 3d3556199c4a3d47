/** Mobile below 768 px, tablet below 1024, desktop from there on. */
export const screenTypeOf = (width: number): 'mobile' | 'tablet' | 'desktop' =>
  width < 768 ? 'mobile' : width < 1024 ? 'tablet' : 'desktop'
