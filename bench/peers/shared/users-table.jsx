const roles = ['viewer', 'editor', 'admin']

/** The rows and columns of Plinth's page. `Form` is the form of the framework. */
export function UsersTable({ users, hasMore, total, Form }) {
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
              <td className="cell">
                <Form>
                  <input type="hidden" name="userId" value={user.id} />
                  <select
                    name="role"
                    defaultValue={user.role}
                    aria-label={`Role of ${user.name}`}
                    className="select"
                  >
                    {roles.map((role) => (
                      <option key={role} value={role}>
                        {role}
                      </option>
                    ))}
                  </select>
                  <button type="submit" className="button">
                    Change role
                  </button>
                </Form>
              </td>
              <td className="cell end">
                <time dateTime={user.createdAt.toISOString()}>
                  {user.createdAt.toISOString().slice(0, 10)}
                </time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasMore && (
        <a href="/users?page=2" className="link">
          Next
        </a>
      )}
    </main>
  )
}
