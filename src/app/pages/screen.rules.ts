export const screenTypeOf = (width: number): 'mobile' | 'tablet' | 'desktop' =>
  width < 768 ? 'mobile' : width < 1024 ? 'tablet' : 'desktop'
