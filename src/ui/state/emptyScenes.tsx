import type { ReactNode } from 'react'

/** A drawing of an empty screen. */
export type Scene = 'receipt' | 'ticket' | 'search' | 'shelf' | 'torn'

/** Each drawing is 152 x 100. */
export const scenes: Record<Scene, ReactNode> = {
  receipt: (
    <>
      <path className="paper" d="M40 14h72v62l-6-4-6 4-6-4-6 4-6-4-6 4-6-4-6 4-6-4-6 4-6-4-6 4z" />
      <path d="M52 30h30M52 42h48" strokeDasharray="2 4" />
      <path className="ink" d="M92 30h8" />
    </>
  ),
  ticket: (
    <g transform="rotate(-7 76 50)">
      <path
        className="paper"
        d="M22 22h108a6 6 0 0 1 6 6v12a9 9 0 0 0 0 18v12a6 6 0 0 1-6 6H22a6 6 0 0 1-6-6V58a9 9 0 0 0 0-18V28a6 6 0 0 1 6-6z"
      />
      <path d="M100 30v38" strokeDasharray="3 4" />
      <path className="ink" d="M32 42h30" />
      <path d="M32 54h48" />
    </g>
  ),
  search: (
    <>
      <path className="paper" d="M38 16h52v64H38z" />
      <path d="M48 30h32M48 42h32M48 54h18" strokeDasharray="2 4" />
      <circle className="paper" cx="96" cy="54" r="20" />
      <path className="ink" d="M110 68l14 14M88 54h16" />
    </>
  ),
  shelf: (
    <>
      <path className="paper" d="M30 34h40v46H30zM82 34h40v46H82z" strokeDasharray="3 4" />
      <path className="ink" d="M102 49v16M94 57h16" />
    </>
  ),
  torn: (
    <>
      <g transform="rotate(-9 50 50)">
        <path className="paper" d="M18 26h46l-4 6 4 6-4 6 4 6-4 6 4 6-4 6 4 6H18a6 6 0 0 1-6-6V32a6 6 0 0 1 6-6z" />
        <path className="ink" d="M24 44h20" />
        <path d="M24 56h28" />
      </g>
      <g transform="rotate(8 108 50)">
        <path className="paper" d="M134 26H86l-4 6 4 6-4 6 4 6-4 6 4 6-4 6 4 6h48a6 6 0 0 0 6-6V32a6 6 0 0 0-6-6z" />
        <path d="M98 44h28M98 56h18" />
      </g>
    </>
  ),
}
