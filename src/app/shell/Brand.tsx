import { storeName } from '../../kit/storeName.client.ts'

export const Brand = ({ name = storeName() }: { name?: string }) => (
  <>
    <svg className="brand__mark" viewBox="0 0 30 30" aria-hidden="true">
      <path
        fill="currentColor"
        d="M5 1h20a4 4 0 0 1 4 4v6.5a3.5 3.5 0 0 0 0 7V25a4 4 0 0 1-4 4H5a4 4 0 0 1-4-4v-6.5a3.5 3.5 0 0 0 0-7V5a4 4 0 0 1 4-4z"
      />
      <path className="one" d="M17.4 7v16h-4V11.8l-3.2 1.6V9.7L14.4 7z" />
    </svg>
    <span>{name}</span>
  </>
)
