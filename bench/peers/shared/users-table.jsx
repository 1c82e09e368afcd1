/** The rows and columns of Plinth's page. A button requests the page with a dialog for its row. */
export function UsersTable({ users, hasMore, total }) {
  return (
    <main className="page">
      <h1 className="title">Users</h1>
      <table className="table">
        <caption className="caption">{total} users</caption>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Role</th>
            <th scope="col">Joined</th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <tr key={user.id} className="row">
              <th scope="row" className="cell">
                <a href={`/users/${user.id}`} className="link">
                  {user.name}
                </a>
                <span className="muted">{user.email}</span>
              </th>
              <td className="cell">{user.role}</td>
              <td className="cell">
                <time dateTime={user.createdAt.toISOString()}>
                  {user.createdAt.toISOString().slice(0, 10)}
                </time>
              </td>
              <td className="cell end">
                <button
                  type="submit"
                  form="change"
                  name="change"
                  value={user.id}
                  className="button"
                >
                  Change role
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <form id="change" />
      {hasMore && (
        <a href="/users?page=2" className="link">
          Next
        </a>
      )}
    </main>
  )
}
