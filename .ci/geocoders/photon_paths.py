"""addok as a WSGI application that answers under Photon's paths: both speak GeocodeJSON, and only the name of the search differs."""
from addok.http.base import Search
from addok.http.wsgi import application

application.add_route("/api", Search())
