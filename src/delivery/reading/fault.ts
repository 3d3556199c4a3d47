/** Reason why the reader cannot show a loaded file. A retry does not help, but a download may. */
export type Fault = 'password' | 'damaged' | 'empty' | 'protected'

export class FileFault extends Error {
  readonly fault: Fault

  constructor(fault: Fault, cause?: unknown) {
    super(fault, { cause })
    this.name = 'FileFault'
    this.fault = fault
  }
}

export const FAULTS: Record<Fault, [title: string, text: string]> = {
  password: ['This file needs a password', 'Download it and open it with its password.'],
  damaged: ['This file is damaged', 'Download it and try another program. If it fails there too, ask for a refund.'],
  empty: ['This file has no pages', 'If you expected more, ask the seller or ask for a refund.'],
  protected: [
    'This book is protected (DRM)',
    'Only the program that it was made for can open it. Download it for that program, or ask for a refund.',
  ],
}
